package io.orth.admin.xxlimport;

/** Rows of an XXL-JOB database, as they are; text that is null there is empty here. */
final class XxlJobRows {

    private XxlJobRows() {}

    /** {@code addresses} is empty where executors register themselves. */
    record Group(int id, String appName, String title, boolean manual, String addresses) {}

    /** {@code permission} lists ids of groups. */
    record User(int id, String name, int role, String permission) {}

    /** What must be known of all jobs before the first one is made. */
    record Outline(int id, int groupId, String name, String children) {}

    record Schedule(String type, String conf, String misfire) {}

    record How(String route, String block, int timeoutSeconds, int retries) {}

    record What(String glueType, String handler, String param) {}

    record About(String author, String alarmMail, boolean running) {}

    record Job(int id, Schedule schedule, How how, What what, About about) {}

    /** One text that the job had or has; {@code updated} as the database writes it. */
    record Source(String glueType, String text, String remark, String updated) {}
}
