-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN "wanted" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Membership" ADD COLUMN "firstMailAt" DATETIME;
