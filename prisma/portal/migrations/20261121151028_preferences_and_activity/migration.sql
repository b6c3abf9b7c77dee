-- AlterTable
ALTER TABLE "User" ADD COLUMN "density" TEXT;
ALTER TABLE "User" ADD COLUMN "theme" TEXT;
ALTER TABLE "User" ADD COLUMN "timeZone" TEXT;

-- CreateIndex
CREATE INDEX "AuditRow_at_idx" ON "AuditRow"("at");
