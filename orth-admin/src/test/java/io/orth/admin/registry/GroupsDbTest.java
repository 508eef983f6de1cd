package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Job;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.testkit.TestDatabase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupsDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private Groups groups;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        groups = admin.groups;
    }

    @Test
    void newGroupHasNameTitleAndNoExecutorOnline() {
        ExecutorGroup group = groups.create("workers", " The workers ");

        assertThat(groups.get(group.id())).isEqualTo(group);
        assertThat(group.name()).isEqualTo("workers");
        assertThat(group.title()).isEqualTo("The workers");
        assertThat(group.online()).isZero();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = " ")
    void aGroupWithoutATitleIsCalledByItsName(String title) {
        assertThat(groups.create("workers", title).title()).isEqualTo("workers");
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                " ",
                "two words",
                "-dash",
                ".dot",
                "a/b",
                "a\nb",
                "a\0b",
                "ümlaut",
                "a'; drop table orth_job; --",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void rejectsBadName(String name) {
        assertRejected(ErrorCode.INVALID_INPUT, () -> groups.create(name, "title"));
        assertThat(groups.list(null, 0, 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nul\0", "bell\u0007"})
    void rejectsTitleWithControlCharacters(String title) {
        ExecutorGroup group = groups.create("workers", "title");

        assertRejected(ErrorCode.INVALID_INPUT, () -> groups.create("others", title));
        assertRejected(ErrorCode.INVALID_INPUT, () -> groups.rename(group.id(), title));
    }

    @Test
    void rejectsTooLongTitle() {
        assertRejected(ErrorCode.INVALID_INPUT, () -> groups.create("workers", "t".repeat(201)));
        assertThat(groups.create("workers", "t".repeat(200)).title()).hasSize(200);
    }

    @Test
    void twoGroupsCannotShareAName() {
        groups.create("workers", null);

        assertRejected(ErrorCode.CONFLICT, () -> groups.create("workers", "others"));
    }

    @Test
    void aGroupCanBeGivenAnotherTitle() {
        ExecutorGroup group = groups.create("workers", "old");

        assertThat(groups.rename(group.id(), "new").title()).isEqualTo("new");
        assertRejected(ErrorCode.INVALID_INPUT, () -> groups.rename(group.id(), " "));
        assertRejected(ErrorCode.NOT_FOUND, () -> groups.rename(99, "new"));
    }

    @Test
    void eachGroupHasALongTokenOfItsOwn() {
        String first = groups.token(groups.create("a", null).id());
        String second = groups.token(groups.create("b", null).id());

        assertThat(first).startsWith("orthg_").hasSizeGreaterThan(45).isNotEqualTo(second);
    }

    @Test
    void aTokenSaysWhichGroupItIsOf() {
        ExecutorGroup a = groups.create("a", null);
        ExecutorGroup b = groups.create("b", null);

        assertThat(groups.authenticate(groups.token(a.id()))).contains(a.id());
        assertThat(groups.authenticate(groups.token(b.id()))).contains(b.id());
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {" ", "orthg_", "orthg_AAAA", "%", "' or 1=1 --", "nul\0"})
    void rejectsAnyOtherToken(String token) {
        groups.create("a", null);

        assertThat(groups.authenticate(token)).isEmpty();
    }

    @Test
    void rejectsTokenOfOtherCase() {
        String token = groups.token(groups.create("a", null).id());

        assertThat(groups.authenticate(token.toUpperCase(java.util.Locale.ROOT)))
                .isEmpty();
        assertThat(groups.authenticate(token + " ")).isEmpty();
    }

    @Test
    void rotatedTokenInvalidatesOldOneImmediately() {
        ExecutorGroup group = groups.create("a", null);
        String old = groups.token(group.id());

        String rotated = groups.rotateToken(group.id());

        assertThat(rotated).isNotEqualTo(old).isEqualTo(groups.token(group.id()));
        assertThat(groups.authenticate(old)).isEmpty();
        assertThat(groups.authenticate(rotated)).contains(group.id());
        assertRejected(ErrorCode.NOT_FOUND, () -> groups.rotateToken(99));
        assertRejected(ErrorCode.NOT_FOUND, () -> groups.token(99));
    }

    @Test
    void tokensAreHiddenInLogs() {
        GroupToken token = GroupToken.generate();

        assertThat(token.toString()).doesNotContain(token.text());
        assertThat(new Target(1, "instance", 1, "http://127.0.0.1:1", "secret", true, ExecutorKind.ORTH).toString())
                .doesNotContain("secret");
    }

    @Test
    void aGroupWithJobsIsNotDeleted() {
        ExecutorGroup group = groups.create("a", null);
        Job job = admin.job(group, "job", new Schedule.None(), MisfirePolicy.FIRE_ONCE);

        assertRejected(ErrorCode.CONFLICT, () -> groups.delete(group.id()));

        admin.jobs.delete(job.id());
        groups.delete(group.id());
        assertRejected(ErrorCode.NOT_FOUND, () -> groups.get(group.id()));
        assertRejected(ErrorCode.NOT_FOUND, () -> groups.delete(group.id()));
    }

    @Test
    void deletesGroupOnlyWithoutOnlineExecutors() {
        ExecutorGroup group = groups.create("a", null);
        Target executor = admin.executor(group, "instance", "http://127.0.0.1:9999");

        assertRejected(ErrorCode.CONFLICT, () -> groups.delete(group.id()));
        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        groups.delete(group.id());

        assertThat(groups.list(null, 0, 10)).isEmpty();
    }

    @Test
    void theListIsByIdInPagesAndByName() {
        ExecutorGroup a = groups.create("a", null);
        ExecutorGroup b = groups.create("b", null);
        admin.executor(b, "instance", "http://127.0.0.1:9999");

        assertThat(groups.list(null, 0, 1)).extracting(ExecutorGroup::name).containsExactly("a");
        assertThat(groups.list(null, a.id(), 10)).singleElement().satisfies(group -> {
            assertThat(group.name()).isEqualTo("b");
            assertThat(group.online()).isEqualTo(1);
        });
        assertThat(groups.list("b", 0, 10)).extracting(ExecutorGroup::name).containsExactly("b");
        assertThat(groups.list("c", 0, 10)).isEmpty();
    }

    private static void assertRejected(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
