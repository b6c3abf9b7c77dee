-- AlterTable
ALTER TABLE "Site" ADD COLUMN "stagingOf" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "Site_stagingOf_idx" ON "Site"("stagingOf");
