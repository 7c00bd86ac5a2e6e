extension Schema {
  static let products = """
    -- A product has an owner, or the e-mail address of a future owner.
    --
    -- The id of a product of an organization has the organization in front, as `RecordKey` writes
    -- it. `shown_id` is its id in the owner's app, if that differs. `search_text` is the folded
    -- text in which words are searched. The digest and the size of the photo are here, so that
    -- lists do not read its content.
    CREATE TABLE products (
      id                  TEXT    NOT NULL PRIMARY KEY,
      shown_id            TEXT,
      owner               TEXT,
      awaited_address     TEXT,
      name                TEXT    NOT NULL,
      model               TEXT    NOT NULL,
      serial_number       TEXT    NOT NULL,
      category            TEXT    NOT NULL,
      search_text         TEXT    NOT NULL,
      warranty_provider   TEXT,
      purchased_on        INTEGER,
      warranty_expires_on INTEGER,
      photo_digest        TEXT,
      photo_bytes         INTEGER,
      created_at          INTEGER NOT NULL,
      position            INTEGER NOT NULL,
      version             INTEGER NOT NULL DEFAULT 1,
      CHECK ((owner IS NULL) <> (awaited_address IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX products_awaiting
      ON products (awaited_address) WHERE awaited_address IS NOT NULL;
    CREATE INDEX products_by_creation ON products (created_at, id);
    CREATE INDEX products_by_expiry
      ON products (owner, warranty_expires_on) WHERE owner IS NOT NULL;
    CREATE INDEX products_by_id ON products (substr(id, instr(id, '~') + 1));
    CREATE INDEX products_of_owner ON products (owner, position) WHERE owner IS NOT NULL;
    CREATE INDEX products_of_owner_by_creation
      ON products (owner, created_at, id) WHERE owner IS NOT NULL;
    CREATE INDEX products_shown
      ON products (owner, coalesce(shown_id, id)) WHERE owner IS NOT NULL;

    CREATE TABLE product_photos (
      product TEXT NOT NULL PRIMARY KEY,
      format  TEXT NOT NULL,
      content BLOB NOT NULL
    ) STRICT;

    -- The products that an owner's app must forget. `position` orders them with the changes of
    -- products.
    CREATE TABLE product_removals (
      owner      TEXT    NOT NULL,
      product    TEXT    NOT NULL,
      position   INTEGER NOT NULL,
      removed_at INTEGER NOT NULL,
      PRIMARY KEY (owner, product)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX product_removals_by_time ON product_removals (removed_at);
    CREATE INDEX product_removals_of_owner ON product_removals (owner, position);

    -- The last position of each owner.
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
    -- The first column is the form in which numbers are compared.
    CREATE INDEX service_requests_by_number ON service_requests (
      replace(replace(lower(id), ' ', ''), '-', ''), created_at, id);
    CREATE INDEX service_requests_of_account ON service_requests (account, created_at, id);
    """
}
