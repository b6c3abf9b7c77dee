-- AlterTable
ALTER TABLE "Job" ADD COLUMN "repeatOf" TEXT;

-- AlterTable
ALTER TABLE "BatchTarget" ADD COLUMN "repeatOf" TEXT;

-- CreateIndex
CREATE INDEX "Job_repeatOf_idx" ON "Job"("repeatOf");

-- CreateIndex
CREATE INDEX "BatchTarget_repeatOf_idx" ON "BatchTarget"("repeatOf");
