-- CreateTable
CREATE TABLE "Sample" (
    "serverId" TEXT NOT NULL,
    "at" INTEGER NOT NULL,
    "reachable" BOOLEAN NOT NULL,
    "diskUsed" REAL,
    "diskTotal" REAL,
    "memUsed" REAL,
    "memTotal" REAL,

    PRIMARY KEY ("serverId", "at"),
    CONSTRAINT "Sample_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
