-- CreateTable
CREATE TABLE "Loan" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "userId" TEXT,
    "role" TEXT,
    "subjects" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "operations" TEXT NOT NULL DEFAULT '',
    "root" BOOLEAN NOT NULL DEFAULT false,
    "validFrom" DATETIME NOT NULL,
    "until" DATETIME,
    "why" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Loan_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Loan_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "Connection" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Loan_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership" ("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LoanScope" (
    "loanId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("loanId", "kind", "about"),
    CONSTRAINT "LoanScope_loanId_fkey" FOREIGN KEY ("loanId") REFERENCES "Loan" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Loan_teamId_idx" ON "Loan"("teamId");

-- CreateIndex
CREATE INDEX "Loan_connectionId_idx" ON "Loan"("connectionId");

-- CreateIndex
CREATE INDEX "Loan_userId_teamId_idx" ON "Loan"("userId", "teamId");

-- CreateIndex
CREATE INDEX "LoanScope_kind_about_idx" ON "LoanScope"("kind", "about");

-- CreateIndex
CREATE INDEX "AuditRow_connectionId_seq_idx" ON "AuditRow"("connectionId", "seq");
