-- AlterTable
ALTER TABLE "User" ADD COLUMN "passwordById" TEXT;
