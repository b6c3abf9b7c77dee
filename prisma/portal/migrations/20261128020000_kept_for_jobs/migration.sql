-- CreateTable
CREATE TABLE "JobCredentials" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "sealed" BLOB NOT NULL,
    "kekId" TEXT NOT NULL,
    "shownAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "JobCredentials_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PreparedArchive" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "siteId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "sealed" BLOB NOT NULL,
    "kekId" TEXT NOT NULL,
    "size" REAL,
    "expires" TEXT,
    "preparedAt" DATETIME NOT NULL,
    "recordedAt" DATETIME,
    "takenAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "PreparedArchive_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "NamesBefore" (
    "jobId" TEXT NOT NULL PRIMARY KEY,
    "names" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "JobCredentials_expiresAt_idx" ON "JobCredentials"("expiresAt");

-- CreateIndex
CREATE INDEX "PreparedArchive_expiresAt_idx" ON "PreparedArchive"("expiresAt");

-- CreateIndex
CREATE INDEX "NamesBefore_at_idx" ON "NamesBefore"("at");
