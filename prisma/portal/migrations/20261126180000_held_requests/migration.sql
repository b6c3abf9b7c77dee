-- AlterTable
ALTER TABLE "Team" ADD COLUMN "secondPersonFor" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "HeldRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "connectionId" TEXT,
    "targetName" TEXT NOT NULL,
    "askedById" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "askedAt" DATETIME NOT NULL,
    "sealed" BLOB,
    "kekId" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "sendAt" DATETIME,
    "decidedById" TEXT,
    "decidedAt" DATETIME,
    "reason" TEXT NOT NULL DEFAULT '',
    "page" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "endedAt" DATETIME,
    CONSTRAINT "HeldRequest_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "HeldRequest_teamId_askedAt_idx" ON "HeldRequest"("teamId", "askedAt");

-- CreateIndex
CREATE INDEX "HeldRequest_state_idx" ON "HeldRequest"("state");
