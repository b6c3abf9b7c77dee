-- CreateTable
CREATE TABLE "BackupPlan" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "targetId" TEXT,
    "excluded" BOOLEAN NOT NULL,
    "hour" INTEGER NOT NULL,
    "timeZone" TEXT NOT NULL,
    "limitKb" INTEGER,
    "setById" TEXT,
    "setAt" DATETIME NOT NULL,
    "night" TEXT NOT NULL DEFAULT '',
    "pausedBecause" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "BackupPlan_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BackupPlan_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BackupPlan_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BackupPlan_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "BackupTarget" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "BackupPlan_setById_fkey" FOREIGN KEY ("setById") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "NightCopy" (
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

    PRIMARY KEY ("siteId", "night"),
    CONSTRAINT "NightCopy_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "BackupPlan_place_key" ON "BackupPlan"("place");

-- CreateIndex
CREATE INDEX "BackupPlan_teamId_idx" ON "BackupPlan"("teamId");

-- CreateIndex
CREATE INDEX "NightCopy_state_dueAt_idx" ON "NightCopy"("state", "dueAt");

-- CreateIndex
CREATE INDEX "NightCopy_jobId_idx" ON "NightCopy"("jobId");
