package io.orth.cli;

import io.orth.client.OrthClientException;
import io.orth.client.OrthClientException.FieldError;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports errors in one sentence and determines the exit code. */
final class Complaints {

    private static final int NOT_AUTHENTICATED = 401;

    private final PrintWriter err;

    Complaints(PrintWriter err) {
        this.err = err;
    }

    /** Reports invalid arguments. */
    int about(ParameterException e) {
        CommandLine command = e.getCommandLine();
        say(e.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            say("'%s --help' lists what there is."
                    .formatted(command.getCommandSpec().qualifiedName()));
        }
        return ExitCode.USAGE;
    }

    /** Reports a valid command that failed. */
    int about(Exception e) {
        if (e instanceof OrthClientException refused) {
            say(sentence(refused));
            return ExitCode.SOFTWARE;
        }
        if (e instanceof UsageException || e instanceof IllegalArgumentException) {
            say(e.getMessage());
            return ExitCode.USAGE;
        }
        say("that is a fault of this program: " + e);
        return ExitCode.SOFTWARE;
    }

    static String sentence(OrthClientException refused) {
        if (refused.code().equals(OrthClientException.UNREACHABLE)) {
            return "no admin could be asked: " + refused.getMessage();
        }
        String what = "the admin refused (%s): %s".formatted(refused.code(), message(refused));
        return refused.status() == NOT_AUTHENTICATED
                ? "%s; is the token of %s or --credentials this admin's?".formatted(what, Token.VARIABLE)
                : what;
    }

    /** The detail of an error response usually names the first field. */
    private static String message(OrthClientException refused) {
        StringBuilder message = new StringBuilder(refused.getMessage().strip());
        for (FieldError field : refused.fields()) {
            if (message.indexOf(field.field()) < 0) {
                message.append("; %s %s".formatted(field.field(), field.message()));
            }
        }
        return message.toString();
    }

    void say(String sentence) {
        err.println(Plain.line(sentence));
    }
}
