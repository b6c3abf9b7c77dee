-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_NightCopy" (
    "siteId" TEXT NOT NULL,
    "night" TEXT NOT NULL,
    "serverId" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" DATETIME NOT NULL,
    "jobId" TEXT NOT NULL DEFAULT '',
    "startedAt" DATETIME,
    "problem" TEXT NOT NULL DEFAULT '',
    "limitKb" INTEGER,
    "copyId" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("siteId", "night")
);
INSERT INTO "new_NightCopy" ("attempts", "copyId", "dueAt", "jobId", "limitKb", "night", "problem", "serverId", "siteId", "startedAt", "state") SELECT "attempts", "copyId", "dueAt", "jobId", "limitKb", "night", "problem", "serverId", "siteId", "startedAt", "state" FROM "NightCopy";
DROP TABLE "NightCopy";
ALTER TABLE "new_NightCopy" RENAME TO "NightCopy";
CREATE INDEX "NightCopy_state_dueAt_idx" ON "NightCopy"("state", "dueAt");
CREATE INDEX "NightCopy_jobId_idx" ON "NightCopy"("jobId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
