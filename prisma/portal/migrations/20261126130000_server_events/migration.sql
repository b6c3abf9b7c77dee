-- AlterTable
ALTER TABLE "Job" ADD COLUMN "serverEvent" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "Job_serverId_serverEvent_key" ON "Job"("serverId", "serverEvent");
