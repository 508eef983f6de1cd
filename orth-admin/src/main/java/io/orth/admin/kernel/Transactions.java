package io.orth.admin.kernel;

import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs work in one transaction, and repeats it if the database asks for that (deadlock, serialization failure). */
@Component
public final class Transactions {

    private static final int TRIES = 4;

    private final TransactionOperations transactions;

    public Transactions(TransactionOperations transactions) {
        this.transactions = transactions;
    }

    /** Joins the caller's transaction if there is one. {@code work} may be repeated, so it must only have effects on the database. */
    public <T> T call(Supplier<T> work) {
        return isActive() ? work.get() : attempt(status -> work.get());
    }

    /** Returns the result of {@code work} and rolls its transaction back. The caller must have no transaction. */
    public <T> T rollBack(Supplier<T> work) {
        if (isActive()) {
            throw new IllegalStateException("the caller's transaction would be rolled back");
        }
        return attempt(status -> {
            status.setRollbackOnly();
            return work.get();
        });
    }

    private <T> T attempt(TransactionCallback<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transactions.execute(work);
            } catch (DataAccessException | TransactionException e) {
                if (attempt == TRIES || !DatabaseTrouble.asksToTryAgain(e)) {
                    throw e;
                }
            }
        }
    }

    public void run(Runnable work) {
        call(() -> {
            work.run();
            return null;
        });
    }

    /** Runs {@code work} after the commit of the caller's transaction; never if the transaction rolls back. */
    public static void afterCommit(Runnable work) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                work.run();
            }
        });
    }

    /** Like {@link #afterCommit}, but runs {@code work} immediately if the caller has no transaction. */
    public static void whenCommitted(Runnable work) {
        if (isActive()) {
            afterCommit(work);
        } else {
            work.run();
        }
    }

    /** Returns whether the caller has a transaction. */
    public static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }
}
