export type Target = { admin: string; group: string; token: string };

export const springBootProperties = ({ admin, group, token }: Target): string =>
  `orth.executor.admins=${admin}
orth.executor.group=${group}
orth.executor.access-token=${token}
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
