-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Site" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "machineId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "deleting" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "usage" TEXT NOT NULL DEFAULT '',
    "answers" BOOLEAN,
    "ssl" BOOLEAN NOT NULL DEFAULT false,
    "expires" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',
    "checkedAt" DATETIME,
    "stagingOf" TEXT NOT NULL DEFAULT '',
    "php" TEXT NOT NULL DEFAULT '',
    "backupAt" TEXT,
    CONSTRAINT "Site_machineId_fkey" FOREIGN KEY ("machineId") REFERENCES "Machine" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Site" ("address", "answers", "checkedAt", "createdAt", "deleting", "domain", "expires", "id", "machineId", "mx", "name", "ssl", "stagingOf", "state", "usage") SELECT "address", "answers", "checkedAt", "createdAt", "deleting", "domain", "expires", "id", "machineId", "mx", "name", "ssl", "stagingOf", "state", "usage" FROM "Site";
DROP TABLE "Site";
ALTER TABLE "new_Site" RENAME TO "Site";
CREATE INDEX "Site_stagingOf_idx" ON "Site"("stagingOf");
CREATE UNIQUE INDEX "Site_machineId_name_key" ON "Site"("machineId", "name");
CREATE UNIQUE INDEX "Site_machineId_domain_key" ON "Site"("machineId", "domain");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
