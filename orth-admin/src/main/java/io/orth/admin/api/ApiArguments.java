package io.orth.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Resolver of controller arguments: the {@link ApiCall}, and the {@link PageRequest} from the query parameters {@code limit} and
 * {@code after}.
 */
@Configuration(proxyBeanMethods = false)
class ApiArguments implements HandlerMethodArgumentResolver, WebMvcConfigurer {

    ApiArguments() {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(ApiCall.class);
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == ApiCall.class || parameter.getParameterType() == PageRequest.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            ModelAndViewContainer model,
            NativeWebRequest request,
            WebDataBinderFactory factory) {
        return parameter.getParameterType() == ApiCall.class
                ? new ApiCall(request.getNativeRequest(HttpServletRequest.class))
                : PageRequest.of(request.getParameter("limit"), request.getParameter("after"));
    }
}
