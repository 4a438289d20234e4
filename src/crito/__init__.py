"""People and language models label the same items, argue about them, and every label knows what its author had seen."""
