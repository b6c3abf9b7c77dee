-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "leaseEpoch" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "PortalProcess" (
    "id" TEXT NOT NULL,
    "heardAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PortalProcess_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Leader" (
    "id" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,

    CONSTRAINT "Leader_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Submission" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Submission_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Submission_at_idx" ON "Submission"("at");
