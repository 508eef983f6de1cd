package io.orth.bench.journal;

import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.TransitionJournal;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Put beside an admin's own classes: changes of state are written nowhere, so that it can be measured what writing them costs. */
@Configuration(proxyBeanMethods = false)
public class WithoutJournal {

    @Bean
    static BeanPostProcessor noJournal() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                return bean instanceof TransitionJournal ? new Nothing() : bean;
            }
        };
    }

    private static final class Nothing extends TransitionJournal {

        Nothing() {
            super(null, null, null, List.of(), null);
        }

        @Override
        public void append(List<StateChange> changes) {
            // Nothing is what it is about.
        }
    }
}
