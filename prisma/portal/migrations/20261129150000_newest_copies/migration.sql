-- DropIndex
DROP INDEX "BackupCopy_repositoryId_siteId_state_startedAt_idx";

-- CreateIndex
CREATE INDEX "BackupCopy_newest_idx" ON "BackupCopy"("repositoryId", "siteId", "state", "startedAt", "provenAt", "badAt", "bytes");
