export type Target = { admin: string; group: string; token: string };

export const springBootProperties = ({ admin, group, token }: Target): string =>
  `orth.executor.admins=${admin}
orth.executor.group=${group}
orth.executor.access-token=${token}
`;

export const xxlJobProperties = ({ admin, group, token }: Target): string =>
  `xxl.job.admin.addresses=${admin}/xxl-job-admin
xxl.job.accessToken=${token}
xxl.job.executor.appname=${group}
`;

export const springBootHandler = `@Component
class Greetings {

    @OrthJob("greet")
    void greet(OrthJobContext context) {
        OrthJobHelper.log("Hello {}", context.param());
    }
}
`;

export const standaloneCommand = ({ admin, group, token }: Target): string =>
  `export ORTH_EXECUTOR_ACCESS_TOKEN=${token}
java -jar orth-standalone-exec.jar --admin ${admin} --group ${group} --samples
`;
