package io.orth.cli;

import io.orth.client.OrthClientException;
import io.orth.client.OrthClientException.FieldError;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What went wrong in one sentence, and the code that the program ends with. */
final class Complaints {

    private static final int NOT_AUTHENTICATED = 401;

    private final PrintWriter err;

    Complaints(PrintWriter err) {
        this.err = err;
    }

    /** What was typed makes no sense. */
    int about(ParameterException e) {
        CommandLine command = e.getCommandLine();
        say(e.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            say("'%s --help' lists what there is."
                    .formatted(command.getCommandSpec().qualifiedName()));
        }
        return ExitCode.USAGE;
    }

    /** It made sense, and could not be done. */
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

    /** Its detail mostly names the first field. */
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
