enum SQLiteStorePlaceholder {}
