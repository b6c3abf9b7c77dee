-- CreateTable
CREATE TABLE "BackupRepository" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "targetId" TEXT NOT NULL,
    "serverId" TEXT NOT NULL,
    "serverName" TEXT NOT NULL,
    "sealed" BLOB NOT NULL,
    "kekId" TEXT NOT NULL,
    "kitConfirmedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "BackupRepository_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "BackupTarget" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "BackupCopy" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "repositoryId" TEXT NOT NULL,
    "siteId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT NOT NULL DEFAULT '',
    "backup" TEXT NOT NULL DEFAULT '',
    "snapshot" TEXT NOT NULL DEFAULT '',
    "bytes" REAL NOT NULL DEFAULT 0,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "BackupCopy_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "BackupRepository" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "BackupRepository_targetId_serverId_key" ON "BackupRepository"("targetId", "serverId");

-- CreateIndex
CREATE INDEX "BackupCopy_siteId_startedAt_idx" ON "BackupCopy"("siteId", "startedAt");

-- CreateIndex
CREATE INDEX "BackupCopy_repositoryId_startedAt_idx" ON "BackupCopy"("repositoryId", "startedAt");
