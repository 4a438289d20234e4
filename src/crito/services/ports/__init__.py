"""What the use cases need from outside, by subject: a store that keeps the record, and models that speak."""
