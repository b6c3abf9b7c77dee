-- RenameTable: a row is one key-encryption key, not a ring of them. What is sealed stays bound to the former name (custody/binding.ts).
ALTER TABLE "KeyRing" RENAME TO "KeyEncryptionKey";
