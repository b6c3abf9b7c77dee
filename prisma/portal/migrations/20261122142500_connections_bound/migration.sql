-- The tables stay as they are. The start after this seals the keys of connections again, bound to kind and label, which the
-- version before cannot open: this step makes the start keep a copy of the database first.
SELECT 1;
