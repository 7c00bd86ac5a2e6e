extension PostgresSchema {
  /// The photos of products.
  ///
  /// A product has the digest and the size of its photo, so that lists do not read the content.
  /// If a server of an earlier version removes a product, the foreign key also removes its photo.
  /// It is checked at the end of a transaction, so that the tables can be copied in any order.
  static let productPhotos = """
    ALTER TABLE products ADD COLUMN photo_digest text COLLATE "C", ADD COLUMN photo_bytes bigint;
    CREATE TABLE product_photos (
      product text COLLATE "C" NOT NULL PRIMARY KEY
        REFERENCES products (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      format text COLLATE "C" NOT NULL,
      content bytea NOT NULL
    )
    """
}
