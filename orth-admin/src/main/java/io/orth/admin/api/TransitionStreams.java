package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.transition.TransitionFeed;
import io.orth.admin.transition.TransitionFeed.Place;
import org.springframework.stereotype.Component;

/** Those who watch transitions on this node. */
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
     * Goes on right after {@code last}; if that is null, begins now, with the last {@code backlog} of all that there are. What can no
     * longer be told is a gap; so is a place that this journal never had.
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
