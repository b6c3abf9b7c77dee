-- CreateTable
CREATE TABLE "BackupRepository" (
    "id" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "serverId" TEXT NOT NULL,
    "serverName" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "kitConfirmedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "BackupRepository_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BackupCopy" (
    "id" TEXT NOT NULL,
    "repositoryId" TEXT NOT NULL,
    "siteId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "state" "JobState" NOT NULL,
    "problem" TEXT NOT NULL DEFAULT '',
    "backup" TEXT NOT NULL DEFAULT '',
    "snapshot" TEXT NOT NULL DEFAULT '',
    "bytes" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "BackupCopy_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "BackupRepository_targetId_serverId_key" ON "BackupRepository"("targetId", "serverId");

-- CreateIndex
CREATE INDEX "BackupCopy_siteId_startedAt_idx" ON "BackupCopy"("siteId", "startedAt");

-- CreateIndex
CREATE INDEX "BackupCopy_repositoryId_startedAt_idx" ON "BackupCopy"("repositoryId", "startedAt");

-- AddForeignKey
ALTER TABLE "BackupRepository" ADD CONSTRAINT "BackupRepository_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "BackupTarget"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupCopy" ADD CONSTRAINT "BackupCopy_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "BackupRepository"("id") ON DELETE CASCADE ON UPDATE CASCADE;
