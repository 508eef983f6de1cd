package io.orth.admin.alarm;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mail.MailException;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.springframework.mail.javamail.MimeMessageHelper;

/** Transport of alarms by mail. */
final class MailTransport implements AlarmTransport {

    private static final int LONGEST_SUBJECT = 150;

    private final AlarmProperties.Mail settings;
    private final Duration timeout;

    MailTransport(AlarmProperties.Mail settings, Duration timeout) {
        this.settings = settings;
        this.timeout = timeout;
    }

    @Override
    public void send(ChannelSpec channel, AlarmMessage message) throws IOException {
        if (settings.host().isEmpty() || settings.from().isEmpty()) {
            throw new IOException("mail is not set up: set orth.alarm.mail.host and orth.alarm.mail.from");
        }
        try {
            JavaMailSenderImpl sender = sender();
            sender.send(mail(sender, channel, AlarmText.of(message, channel.template())));
        } catch (MailException | MessagingException e) {
            throw new IOException("the mail server did not take it: " + rootMessage(e), e);
        }
    }

    private MimeMessage mail(JavaMailSenderImpl sender, ChannelSpec channel, String text) throws MessagingException {
        MimeMessage mail = sender.createMimeMessage();
        MimeMessageHelper helper = new MimeMessageHelper(mail, false, StandardCharsets.UTF_8.name());
        helper.setFrom(settings.from());
        helper.setTo(MailAddresses.parse(channel.target()));
        helper.setSubject(subject(text));
        helper.setText(text, false);
        return mail;
    }

    /** Returns the first line without characters that could start another header. */
    private static String subject(String text) {
        String first = text.lines()
                .findFirst()
                .orElse("")
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
        return "Orth: " + (first.length() > LONGEST_SUBJECT ? first.substring(0, LONGEST_SUBJECT) + "…" : first);
    }

    private JavaMailSenderImpl sender() {
        JavaMailSenderImpl sender = new JavaMailSenderImpl();
        sender.setHost(settings.host());
        sender.setPort(settings.port());
        sender.setDefaultEncoding(StandardCharsets.UTF_8.name());
        Properties properties = sender.getJavaMailProperties();
        String millis = Long.toString(timeout.toMillis());
        properties.put("mail.smtp.connectiontimeout", millis);
        properties.put("mail.smtp.timeout", millis);
        properties.put("mail.smtp.writetimeout", millis);
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put(
                "mail.smtp.ssl.enable", Boolean.toString(settings.encryption() == AlarmProperties.Encryption.TLS));
        String startTls = Boolean.toString(settings.encryption() == AlarmProperties.Encryption.STARTTLS);
        properties.put("mail.smtp.starttls.enable", startTls);
        properties.put("mail.smtp.starttls.required", startTls);
        if (!settings.user().isEmpty()) {
            sender.setUsername(settings.user());
            sender.setPassword(settings.password());
            properties.put("mail.smtp.auth", "true");
        }
        return sender;
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
