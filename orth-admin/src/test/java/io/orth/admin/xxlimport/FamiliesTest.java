package io.orth.admin.xxlimport;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.xxlimport.XxlJobRows.Outline;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FamiliesTest {

    private static Outline job(int id, String children) {
        return new Outline(id, 1, "job", children);
    }

    @Test
    void eachJobComesAfterTheJobsItFires() {
        Families families = new Families(List.of(job(1, "3,2"), job(2, ""), job(3, "2,4"), job(4, "")));

        assertThat(families.order()).containsExactly(2, 4, 3, 1);
        assertThat(families.childrenOf(1)).containsExactly(3, 2);
    }

    @Test
    void breaksCycles() {
        Families families = new Families(List.of(job(1, "2"), job(2, "3"), job(3, "1,3")));

        assertThat(families.order()).containsExactly(3, 2, 1);
        assertThat(families.childrenOf(3)).isEmpty();
        assertThat(families.problemsOf(3))
                .containsExactly("child 1 would lead back to the job", "child 3 would lead back to the job");
    }

    @Test
    void aJobHasAtMostFiftyChildren() {
        List<Outline> jobs =
                IntStream.rangeClosed(1, 60).mapToObj(id -> job(id, "")).toList();
        String all = String.join(
                ",", IntStream.rangeClosed(1, 60).mapToObj(Integer::toString).toList());

        Families families = new Families(IntStream.rangeClosed(0, 60)
                .mapToObj(id -> id == 0 ? job(99, all) : jobs.get(id - 1))
                .toList());

        assertThat(families.childrenOf(99)).hasSize(50);
        assertThat(families.problemsOf(99)).hasSize(10);
    }

    @Test
    void splitsChainOfAllJobs() {
        Families families = new Families(IntStream.rangeClosed(1, 10_000)
                .mapToObj(id -> job(id, id == 10_000 ? "" : Integer.toString(id + 1)))
                .toList());

        assertThat(families.order()).hasSize(10_000).startsWith(10_000).endsWith(1);
        assertThat(families.problemsOf(9_900)).containsExactly("child 9901 begins a chain of 100 jobs already");
        assertThat(families.childrenOf(9_900)).isEmpty();
        assertThat(families.childrenOf(9_899)).containsExactly(9_900);
    }
}
