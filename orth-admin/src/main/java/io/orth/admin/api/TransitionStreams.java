package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.transition.TransitionFeed;
import io.orth.admin.transition.TransitionFeed.Place;
import org.springframework.stereotype.Component;

/** Transition streams that are open on this node. */
@Component
final class TransitionStreams extends LiveStreams {

    private final TransitionFeed feed;
    private final SharedFeed shared;
    private final Ticker ticker;

    TransitionStreams(TransitionFeed feed, Ticker ticker) {
        super("streams of transitions", "transition-stream");
        this.feed = feed;
        this.shared = new SharedFeed(feed, ticker);
        this.ticker = ticker;
    }

    /**
     * Opens a stream that resumes right after {@code last}. If {@code last} is null, the stream starts with the newest {@code backlog} of
     * all transitions. Transitions that are no longer stored are reported as a gap, and so is a place that this journal never had.
     */
    StreamOpening opening(TransitionFilter filter, Place last, int backlog) {
        if (last == null) {
            return opening(filter, backlog == 0 ? Place.after(feed.head()) : feed.beforeLast(backlog), false);
        }
        Place oldest = Place.after(feed.beforeOldest());
        if (last.isBefore(oldest)) {
            return opening(filter, oldest, true);
        }
        Place head = Place.after(feed.head());
        return head.isBefore(last) ? opening(filter, head, true) : opening(filter, last, false);
    }

    private StreamOpening opening(TransitionFilter filter, Place from, boolean gap) {
        return new StreamOpening(this, channel -> new TransitionStream(shared, ticker, filter, from, gap, channel));
    }
}
