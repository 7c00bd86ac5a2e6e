extension Schema {
  /// A product has an owner, or the e-mail address of a future owner.
  ///
  /// Days are counted from 1970.
  static let products = """
    CREATE TABLE products (
      id                  TEXT    NOT NULL PRIMARY KEY,
      name                TEXT    NOT NULL,
      model               TEXT    NOT NULL,
      serial_number       TEXT    NOT NULL,
      category            TEXT    NOT NULL,
      warranty_provider   TEXT,
      purchased_on        INTEGER,
      warranty_expires_on INTEGER,
      created_at          INTEGER NOT NULL,
      owner               TEXT,
      awaited_address     TEXT,
      position            INTEGER NOT NULL,
      CHECK ((owner IS NULL) <> (awaited_address IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX products_of_owner ON products (owner, position) WHERE owner IS NOT NULL;
    CREATE INDEX products_by_expiry
      ON products (owner, warranty_expires_on) WHERE owner IS NOT NULL;
    CREATE INDEX products_awaiting
      ON products (awaited_address) WHERE awaited_address IS NOT NULL;
    CREATE INDEX products_by_creation ON products (created_at, id);

    CREATE TABLE product_removals (
      owner      TEXT    NOT NULL,
      product    TEXT    NOT NULL,
      position   INTEGER NOT NULL,
      removed_at INTEGER NOT NULL,
      PRIMARY KEY (owner, product)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX product_removals_of_owner ON product_removals (owner, position);
    CREATE INDEX product_removals_by_time ON product_removals (removed_at);

    CREATE TABLE product_feeds (
      owner    TEXT    NOT NULL PRIMARY KEY,
      position INTEGER NOT NULL,
      day      INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE service_requests (
      id           TEXT    NOT NULL PRIMARY KEY,
      product      TEXT    NOT NULL,
      product_name TEXT    NOT NULL,
      account      TEXT    NOT NULL,
      description  TEXT    NOT NULL,
      created_at   INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX service_requests_by_creation ON service_requests (created_at, id);
    """

  /// The photos of products.
  ///
  /// A product has the digest and the size of its photo, so that lists do not read the content.
  static let productPhotos = """
    ALTER TABLE products ADD COLUMN photo_digest TEXT;
    ALTER TABLE products ADD COLUMN photo_bytes INTEGER;
    CREATE TABLE product_photos (
      product TEXT NOT NULL PRIMARY KEY,
      format  TEXT NOT NULL,
      content BLOB NOT NULL
    ) STRICT;
    """

  /// The indexes of searches and of the products and requests of one account.
  ///
  /// The first column of a search is the form in which texts are compared. The searched column is
  /// at the end, so that a search reads nothing but the index.
  static let productSearch = """
    CREATE INDEX products_by_serial_number ON products (
      replace(replace(lower(serial_number), ' ', ''), '-', ''), created_at, id, serial_number);
    CREATE INDEX products_by_name ON products (lower(name), created_at, id, name);
    CREATE INDEX products_of_owner_by_creation
      ON products (owner, created_at, id) WHERE owner IS NOT NULL;
    CREATE INDEX service_requests_by_number ON service_requests (
      replace(replace(lower(id), ' ', ''), '-', ''), created_at, id);
    CREATE INDEX service_requests_of_account ON service_requests (account, created_at, id);
    """
}
