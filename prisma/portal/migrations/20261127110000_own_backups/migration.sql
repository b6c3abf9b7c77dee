-- CreateTable
CREATE TABLE "OwnBackup" (
    "half" TEXT NOT NULL PRIMARY KEY,
    "attemptedAt" DATETIME,
    "reason" TEXT NOT NULL,
    "doneAt" DATETIME,
    "bytes" REAL NOT NULL,
    "failures" INTEGER NOT NULL,
    "lateAfterMs" INTEGER
);
