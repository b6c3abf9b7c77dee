-- CreateEnum
CREATE TYPE "NightCopyState" AS ENUM ('waiting', 'running', 'done', 'failed');

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "NotificationKind" ADD VALUE 'copy_failed';
ALTER TYPE "NotificationKind" ADD VALUE 'copy_late';
ALTER TYPE "NotificationKind" ADD VALUE 'copy_good';
ALTER TYPE "NotificationKind" ADD VALUE 'copies_paused';

-- CreateTable
CREATE TABLE "BackupPlan" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "targetId" TEXT,
    "excluded" BOOLEAN NOT NULL,
    "hour" INTEGER NOT NULL,
    "timeZone" TEXT NOT NULL,
    "limitKb" INTEGER,
    "setById" TEXT,
    "setAt" TIMESTAMP(3) NOT NULL,
    "night" TEXT NOT NULL DEFAULT '',
    "pausedBecause" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "BackupPlan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NightCopy" (
    "siteId" TEXT NOT NULL,
    "night" TEXT NOT NULL,
    "serverId" TEXT NOT NULL,
    "state" "NightCopyState" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "jobId" TEXT NOT NULL DEFAULT '',
    "startedAt" TIMESTAMP(3),
    "problem" TEXT NOT NULL DEFAULT '',
    "limitKb" INTEGER,

    CONSTRAINT "NightCopy_pkey" PRIMARY KEY ("siteId","night")
);

-- CreateIndex
CREATE UNIQUE INDEX "BackupPlan_place_key" ON "BackupPlan"("place");

-- CreateIndex
CREATE INDEX "BackupPlan_teamId_idx" ON "BackupPlan"("teamId");

-- CreateIndex
CREATE INDEX "NightCopy_state_dueAt_idx" ON "NightCopy"("state", "dueAt");

-- CreateIndex
CREATE INDEX "NightCopy_jobId_idx" ON "NightCopy"("jobId");

-- AddForeignKey
ALTER TABLE "BackupPlan" ADD CONSTRAINT "BackupPlan_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupPlan" ADD CONSTRAINT "BackupPlan_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupPlan" ADD CONSTRAINT "BackupPlan_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupPlan" ADD CONSTRAINT "BackupPlan_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "BackupTarget"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupPlan" ADD CONSTRAINT "BackupPlan_setById_fkey" FOREIGN KEY ("setById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NightCopy" ADD CONSTRAINT "NightCopy_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
