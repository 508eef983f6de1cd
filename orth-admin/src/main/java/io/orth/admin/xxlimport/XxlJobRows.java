package io.orth.admin.xxlimport;

/** Rows of an XXL-JOB database without conversion, except that null texts are empty. */
final class XxlJobRows {

    private XxlJobRows() {}

    /** {@code addresses} is empty if executors register themselves. */
    record Group(int id, String appName, String title, boolean manual, String addresses) {}

    /** {@code permission} lists group ids. */
    record User(int id, String name, int role, String permission) {}

    /** Data needed of all jobs before the first one is created. */
    record Outline(int id, int groupId, String name, String children) {}

    record Schedule(String type, String conf, String misfire) {}

    record How(String route, String block, int timeoutSeconds, int retries) {}

    record What(String glueType, String handler, String param) {}

    record About(String author, String alarmMail, boolean running) {}

    record Job(int id, Schedule schedule, How how, What what, About about) {}

    /** A current or earlier source of a job; {@code updated} in the database's format. */
    record Source(String glueType, String text, String remark, String updated) {}
}
