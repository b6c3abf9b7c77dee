-- CreateTable
CREATE TABLE "Batch" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "startedById" TEXT,
    "sessionId" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "atOnce" INTEGER NOT NULL,
    "stoppedAt" DATETIME,
    "stoppedById" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "lease" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" DATETIME,
    CONSTRAINT "Batch_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Batch_startedById_fkey" FOREIGN KEY ("startedById") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "Batch_stoppedById_fkey" FOREIGN KEY ("stoppedById") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "BatchTarget" (
    "batchId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "name" TEXT NOT NULL,
    "fields" TEXT NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "requestId" TEXT NOT NULL,
    "jobId" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "startedAt" DATETIME,
    "endedAt" DATETIME,

    PRIMARY KEY ("batchId", "seq"),
    CONSTRAINT "BatchTarget_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "Batch" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BatchTarget_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "BatchTarget_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Job" ADD COLUMN "batchId" TEXT REFERENCES "Batch" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN "signedOut" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Job_batchId_idx" ON "Job"("batchId");

-- CreateIndex
CREATE INDEX "Batch_teamId_startedAt_idx" ON "Batch"("teamId", "startedAt");

-- CreateIndex
CREATE INDEX "Batch_endedAt_idx" ON "Batch"("endedAt");

-- CreateIndex
CREATE UNIQUE INDEX "BatchTarget_requestId_key" ON "BatchTarget"("requestId");

-- CreateIndex
CREATE INDEX "BatchTarget_serverId_idx" ON "BatchTarget"("serverId");

-- CreateIndex
CREATE INDEX "BatchTarget_siteId_idx" ON "BatchTarget"("siteId");
