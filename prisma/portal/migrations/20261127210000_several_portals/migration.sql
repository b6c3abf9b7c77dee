-- AlterTable
ALTER TABLE "Job" ADD COLUMN "leaseEpoch" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "PortalProcess" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "heardAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Leader" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Submission" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Submission_at_idx" ON "Submission"("at");
