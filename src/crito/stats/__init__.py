"""Statistics of labels: long tables of codes in, results that carry a value or the reason why there is none out."""
