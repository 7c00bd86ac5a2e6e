-- Run this once on a restored PostgreSQL database, before the first node starts.
-- The numbers of changes continue 1,000,000 higher, so that no receiver of changes mistakes a new
-- change for an old one. Each receiver compares all records once.
BEGIN;
SET search_path TO fieldpass;
DELETE FROM data_changes;
UPDATE data_change_bounds SET removed = last + 1000000, last = last + 1000000;
COMMIT;
