-- CreateTable
CREATE TABLE "JobCredentials" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "shownAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "JobCredentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PreparedArchive" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "siteId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "size" DOUBLE PRECISION,
    "expires" TEXT,
    "preparedAt" TIMESTAMP(3) NOT NULL,
    "recordedAt" TIMESTAMP(3),
    "takenAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PreparedArchive_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NamesBefore" (
    "jobId" TEXT NOT NULL,
    "names" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "NamesBefore_pkey" PRIMARY KEY ("jobId")
);

-- CreateIndex
CREATE INDEX "JobCredentials_expiresAt_idx" ON "JobCredentials"("expiresAt");

-- CreateIndex
CREATE INDEX "PreparedArchive_expiresAt_idx" ON "PreparedArchive"("expiresAt");

-- CreateIndex
CREATE INDEX "NamesBefore_at_idx" ON "NamesBefore"("at");

-- AddForeignKey
ALTER TABLE "JobCredentials" ADD CONSTRAINT "JobCredentials_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PreparedArchive" ADD CONSTRAINT "PreparedArchive_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
