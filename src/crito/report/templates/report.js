"use strict";
// Everything on the page can be read without this; it saves figures as they stand, and copies texts.
const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linejoin", "paint-order", "font-size", "font-weight", "font-style", "font-family"];

function standing(svg) {
  const copy = svg.cloneNode(true);
  const shown = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, place) => {
    const style = getComputedStyle(shown[place]);
    node.removeAttribute("class");
    node.removeAttribute("style");
    for (const name of kept) node.setAttribute(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.viewBox.baseVal;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", width);
  paper.setAttribute("height", height);
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(paper);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function picture(svg, name) {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * 3;
    canvas.height = height * 3;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name + ".png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standing(svg));
}

function cells(table) {
  const text = (cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("details, .save").forEach((node) => node.remove());
    return '"' + copy.textContent.trim().replace(/\s+/g, " ").replaceAll('"', '""') + '"';
  };
  return "\ufeff" + [...table.rows].map((row) => [...row.cells].map(text).join(",")).join("\r\n") + "\r\n";
}

function button(words, label, work) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", work);
  return made;
}

function row(...buttons) {
  const made = document.createElement("p");
  made.className = "save";
  made.append("Save as ", ...buttons);
  return made;
}

for (const figure of document.querySelectorAll("figure")) {
  const svg = figure.querySelector("svg.figure");
  if (!svg) continue;
  const title = figure.querySelector("figcaption b").textContent;
  const name = figure.id || title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const file = (kind, work) => button(kind, `Save the figure ${title} as ${kind}`, work);
  const buttons = [
    file("SVG", () => save(new Blob([standing(svg)], { type: "image/svg+xml" }), name + ".svg")),
    file("PNG", () => picture(svg, name)),
  ];
  const table = figure.nextElementSibling?.matches(".scroll") && figure.nextElementSibling.querySelector("table");
  if (table) buttons.push(file("CSV", () => save(new Blob([cells(table)], { type: "text/csv" }), name + ".csv")));
  figure.append(row(...buttons));
}

for (const text of document.querySelectorAll("[data-copied]")) {
  const copy = button("Copy", `Copy ${text.dataset.copied}`, async () => {
    getSelection().selectAllChildren(text);
    const done = await navigator.clipboard?.writeText(text.textContent).then(() => true, () => false);
    copy.textContent = done || document.execCommand("copy") ? "Copied" : "Selected: copy it with the keyboard";
  });
  const made = document.createElement("p");
  made.className = "save";
  made.append(copy);
  text.after(made);
}
