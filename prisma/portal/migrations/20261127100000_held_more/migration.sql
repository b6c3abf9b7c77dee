-- AlterTable
ALTER TABLE "User" ADD COLUMN "passwordById" TEXT;


-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "linkShownToId" TEXT;
