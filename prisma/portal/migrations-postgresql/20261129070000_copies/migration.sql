-- AlterTable
ALTER TABLE "BackupCopy" ADD COLUMN     "sha256" TEXT NOT NULL DEFAULT '';

-- DropIndex
DROP INDEX "BackupCopy_repositoryId_startedAt_idx";

-- CreateIndex
CREATE INDEX "BackupCopy_repositoryId_siteId_state_startedAt_idx" ON "BackupCopy"("repositoryId", "siteId", "state", "startedAt");

-- CreateIndex
CREATE INDEX "BackupCopy_state_endedAt_idx" ON "BackupCopy"("state", "endedAt");

-- CreateIndex
CREATE INDEX "BackupCopy_domain_idx" ON "BackupCopy"("domain");
