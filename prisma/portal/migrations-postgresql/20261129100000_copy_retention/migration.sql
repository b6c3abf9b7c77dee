-- AlterEnum
ALTER TYPE "NotificationKind" ADD VALUE 'prune_failed';

-- AlterTable
ALTER TABLE "BackupPlan" ADD COLUMN     "keepDaily" INTEGER NOT NULL DEFAULT 7,
ADD COLUMN     "keepMonthly" INTEGER NOT NULL DEFAULT 6,
ADD COLUMN     "keepWeekly" INTEGER NOT NULL DEFAULT 4;

-- CreateTable
CREATE TABLE "CopyPruning" (
    "repositoryId" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "night" TEXT NOT NULL,
    "state" "NightCopyState" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "lastGood" TEXT NOT NULL DEFAULT '',
    "problem" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "CopyPruning_pkey" PRIMARY KEY ("repositoryId","place")
);

-- AddForeignKey
ALTER TABLE "CopyPruning" ADD CONSTRAINT "CopyPruning_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "BackupRepository"("id") ON DELETE CASCADE ON UPDATE CASCADE;
