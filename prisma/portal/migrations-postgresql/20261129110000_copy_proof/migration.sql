-- AlterTable
ALTER TABLE "BackupCopy" ADD COLUMN "proofJobId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BackupCopy" ADD COLUMN "proofAt" TIMESTAMP(3);
ALTER TABLE "BackupCopy" ADD COLUMN "proof" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BackupCopy" ADD COLUMN "proofCause" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BackupCopy" ADD COLUMN "proofProblem" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BackupCopy" ADD COLUMN "provenAt" TIMESTAMP(3);
ALTER TABLE "BackupCopy" ADD COLUMN "badAt" TIMESTAMP(3);
-- AlterTable
ALTER TABLE "NightCopy" ADD COLUMN "copyId" TEXT NOT NULL DEFAULT '';
-- CreateIndex
CREATE INDEX "BackupCopy_proofJobId_idx" ON "BackupCopy"("proofJobId");
