-- CreateEnum
CREATE TYPE "BackupTargetKind" AS ENUM ('s3');

-- AlterEnum
ALTER TYPE "NotificationKind" ADD VALUE 'backup_target_frozen';

-- CreateTable
CREATE TABLE "BackupTarget" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "ownerId" TEXT,
    "label" TEXT NOT NULL,
    "kind" "BackupTargetKind" NOT NULL,
    "address" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "checkedAt" TIMESTAMP(3) NOT NULL,
    "problem" TEXT NOT NULL DEFAULT '',
    "findings" TEXT NOT NULL DEFAULT '',
    "frozenAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "BackupTarget_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "BackupTarget_teamId_idx" ON "BackupTarget"("teamId");

-- AddForeignKey
ALTER TABLE "BackupTarget" ADD CONSTRAINT "BackupTarget_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BackupTarget" ADD CONSTRAINT "BackupTarget_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
